/** The account search without regard to accents and the width of characters. */
export const concurrentIndexes = [
  // Usernames and domains are ASCII. Without fastupdate no search has to read a list of pending entries.
  `create index concurrently if not exists accounts_search on accounts using gin (search_trigrams(
     ' ' || lower(username collate "C") || ' ' || case when octet_length(display_name) = length(display_name)
       then lower(display_name collate "C") else fold_for_search(display_name) end || ' ' || coalesce(domain, '')))
   with (fastupdate = off)`,
]
