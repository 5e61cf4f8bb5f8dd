import type { HostReport } from '../../../domain/deliveries/host-reports.ts'
import type { AdminDeliveryHost } from '../../../entities/admin/federation/admin-delivery-host.ts'

export function renderAdminDeliveryHost(host: HostReport): AdminDeliveryHost {
  return {
    domain: host.domain,
    pending: host.pending,
    delivered: host.delivered,
    rejected: host.rejected,
    abandoned: host.abandoned,
    consecutive_failures: host.consecutiveFailures,
    failing_days: host.failingDays,
    retry_after: host.retryAfter?.toISOString() ?? null,
    unavailable_since: host.unavailableSince?.toISOString() ?? null,
    last_error: host.lastError,
    last_delivered_at: host.lastDeliveredAt?.toISOString() ?? null,
    last_seen_at: host.lastSeenAt?.toISOString() ?? null,
    signature_scheme: host.signatureScheme === 'cavage' ? 'cavage' : 'rfc9421',
  }
}
