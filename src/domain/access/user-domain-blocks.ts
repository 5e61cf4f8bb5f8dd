/**
 * Returns an SQL array over an alias of `accounts`: the domains of a remote account. These are the domain of its handle
 * and that of its URI, which may differ, with all parent domains.
 */
export function domainsOfAccount(a: string): string {
  return `array(
    select array_to_string(labels[n:], '.')
    from (values (${a}.domain), (split_part(lower(${a}.uri), '/', 3))) host (name),
      string_to_array(rtrim(split_part(host.name, ':', 1), '.'), '.') labels, generate_subscripts(labels, 1) n)`
}

/**
 * Returns an SQL condition: whether a user blocks the domain of an account. `blocker` is a parameter or column with the
 * user's account id, `a` an alias of `accounts`. Always false for local accounts.
 */
export function blocksDomainOf(blocker: string, a: string): string {
  return `(${a}.domain is not null and ${blocksAnyDomain(blocker)} and ${blocksAnyDomainOf(blocker, a)})`
}

/** Returns the same condition for an account that is given by its id, `other`. */
export function blocksDomainOfId(blocker: string, other: string): string {
  return `(${blocksAnyDomain(blocker)} and exists (
    select from accounts remote where remote.id = ${other} and remote.domain is not null
      and ${blocksAnyDomainOf(blocker, 'remote')} offset 0))`
}

/**
 * Most users block no domain, so this is checked first: once for a parameter, by the index for a column. `offset 0`
 * keeps the planner from reading the whole table instead.
 */
function blocksAnyDomain(blocker: string): string {
  return `exists (select from account_domain_blocks d where d.account_id = ${blocker}::bigint offset 0)`
}

function blocksAnyDomainOf(blocker: string, a: string): string {
  return `exists (select from account_domain_blocks d
    where d.account_id = ${blocker}::bigint and d.domain = any(${domainsOfAccount(a)}))`
}

/**
 * Returns an SQL condition: whether a remote account belongs to a domain, which is a parameter. `a`: an alias of
 * `accounts`. The comparison by `strpos` is a fast filter: most accounts belong to other domains.
 */
export function isOfDomain(a: string, domain: string): string {
  return `(${a}.domain is not null and strpos(${a}.domain || ' ' || lower(${a}.uri), ${domain}) > 0
    and ${domain} = any(${domainsOfAccount(a)}))`
}

/** Returns the same condition for an account that is given by its id, `other`. */
export function belongsToDomain(other: string, domain: string): string {
  return `exists (select from accounts a where a.id = ${other} and ${isOfDomain('a', domain)} offset 0)`
}
