# Sourced by what starts Java, with sh or bash. Java reads arguments and names of files by the locale, and replaces what
# the locale has no letter for: without one of UTF-8, as in cron, containers and LC_ALL=C, "naïve" would become another
# word. What Java starts has this locale too, which sorts and speaks as C does.
# A named locale may be missing, so its name says nothing: `locale` says what is used.
if [ "$(locale charmap 2>/dev/null || true)" != UTF-8 ]; then
  LC_ALL=C.UTF-8
  for mayfly_locale in C.UTF-8 C.utf8 en_US.UTF-8 en_US.utf8; do
    if [ "$(LC_ALL=$mayfly_locale locale charmap 2>/dev/null || true)" = UTF-8 ]; then
      LC_ALL=$mayfly_locale
      break
    fi
  done
  unset mayfly_locale
  export LC_ALL
fi
