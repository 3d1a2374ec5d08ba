"""Plays enough of Google's REST APIs for the Terraform provider google, from memory, on loopback."""
