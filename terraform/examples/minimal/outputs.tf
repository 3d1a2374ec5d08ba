output "api_url" {
  description = "What mayfly status reads."
  value       = module.mayfly.api_url
}
