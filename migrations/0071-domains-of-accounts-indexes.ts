/**
 * The names of the hosts of remote accounts, reversed, so that the accounts of a domain and its subdomains are a range.
 * Most accounts have the same host in the handle and in the URI.
 */
export const concurrentIndexes = [
  `create index concurrently if not exists accounts_reversed_domain on accounts
     (((reverse(rtrim(split_part(domain, ':', 1), '.')) || '.') collate "C")) where domain is not null`,
  `create index concurrently if not exists accounts_reversed_uri_host on accounts
     (((reverse(rtrim(split_part(split_part(lower(uri), '/', 3), ':', 1), '.')) || '.') collate "C"))
   where domain is not null and domain <> split_part(lower(uri), '/', 3)`,
]
