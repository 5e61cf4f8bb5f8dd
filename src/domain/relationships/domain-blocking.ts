/**
 * The domains that somebody of another server belongs to, as an array in SQL over an alias of `accounts`: that of the
 * handle and that of the address, which may differ, and every domain above them.
 */
export function domainsOf(a: string): string {
  return `array(
    select array_to_string(labels[n:], '.')
    from (values (${a}.domain), (split_part(lower(${a}.uri), '/', 3))) host (name),
      string_to_array(rtrim(split_part(host.name, ':', 1), '.'), '.') labels, generate_subscripts(labels, 1) n)`
}

/**
 * Whether a person blocks the domain of somebody, as SQL. `blocker` is a parameter or a column with the person's id, `a`
 * an alias of `accounts`. Nobody blocks people of this server so.
 */
export function blocksDomainOf(blocker: string, a: string): string {
  return `(${a}.domain is not null and ${blocksSomeDomain(blocker)} and ${namesDomainOf(blocker, a)})`
}

/** The same of an account that is named by its id, `other`. */
export function blocksDomainOfId(blocker: string, other: string): string {
  return `(${blocksSomeDomain(blocker)} and exists (
    select from accounts stranger where stranger.id = ${other} and stranger.domain is not null
      and ${namesDomainOf(blocker, 'stranger')} offset 0))`
}

/**
 * Most people block no domain: of a parameter that is asked once, of a column by the index, since the offset keeps the
 * planner from reading the whole table instead.
 */
function blocksSomeDomain(blocker: string): string {
  return `exists (select from account_domain_blocks d where d.account_id = ${blocker}::bigint offset 0)`
}

function namesDomainOf(blocker: string, a: string): string {
  return `exists (select from account_domain_blocks d
    where d.account_id = ${blocker}::bigint and d.domain = any(${domainsOf(a)}))`
}

/** Whether an account, named by its id, belongs to a domain. `domain` is a parameter. */
export function isOfDomain(id: string, domain: string): string {
  return `exists (
    select from accounts a where a.id = ${id} and a.domain is not null and ${domain} = any(${domainsOf('a')}) offset 0)`
}
