import type { RelayRow } from '../../../domain/relays/relays.ts'
import type { AdminRelay } from '../../../entities/admin/federation/admin-relay.ts'

export function renderAdminRelay({ id, inbox_url, state, created_at }: RelayRow): AdminRelay {
  return { id, inbox_url, state, created_at: created_at.toISOString() }
}
