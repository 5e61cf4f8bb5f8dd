/**
 * Returns an SQL condition: whether a host, given as an SQL expression, is suspended. The set-based equivalent of
 * `isDomainSuspended`: the block of the host itself or of its nearest parent domain applies.
 */
export function isHostSuspended(host: string): string {
  return nearestDomainBlock(host, `block.severity = 'suspend'`)
}

/** Returns an SQL condition: whether the accounts of a host are limited. */
function isHostLimited(host: string): string {
  return nearestDomainBlock(host, `block.severity = 'silence'`)
}

/** Returns an SQL condition: whether files of a host are rejected. */
export function isMediaRejected(host: string): string {
  return nearestDomainBlock(host, `block.severity = 'suspend' or block.reject_media`)
}

function nearestDomainBlock(host: string, condition: string): string {
  return `coalesce((
    select ${condition} from domain_blocks block where block.domain = any(array(
      select array_to_string(labels[n:], '.')
      from string_to_array(split_part(${host}, ':', 1), '.') labels, generate_subscripts(labels, 1) n))
    order by length(block.domain) desc limit 1), false)`
}

/** The host of the URI of an account with the alias `a`. */
const URI_HOST = `split_part(lower(a.uri), '/', 3)`

/** SQL conditions on the alias `a` of accounts: the blocks of the handle's domain and of the URI's host apply. */
export const IS_LIMITED_BY_DOMAIN = `(${isHostLimited('a.domain')} or ${isHostLimited(URI_HOST)})`
export const IS_SUSPENDED_BY_DOMAIN = `(${isHostSuspended('a.domain')} or ${isHostSuspended(URI_HOST)})`
