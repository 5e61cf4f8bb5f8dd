/**
 * Whether nothing is sent to a host, as SQL over an expression that names it: as `isDomainSuspended` says it, for many at
 * once. The nearest rule counts, be it for the host itself or for a domain above it.
 */
export function suspendedHost(host: string): string {
  return nearestRule(host, `block.severity = 'suspend'`)
}

/** The same for whether no file of a host is taken. */
export function mediaRefusedOf(host: string): string {
  return nearestRule(host, `block.severity = 'suspend' or block.reject_media`)
}

function nearestRule(host: string, says: string): string {
  return `coalesce((
    select ${says} from domain_blocks block where block.domain = any(array(
      select array_to_string(labels[n:], '.')
      from string_to_array(split_part(${host}, ':', 1), '.') labels, generate_subscripts(labels, 1) n))
    order by length(block.domain) desc limit 1), false)`
}
