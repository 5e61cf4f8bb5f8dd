import { api } from '../../lib/session.ts'
import type { ScheduledStatus } from '../../lib/api/entities.ts'

/**
 * Schedules a cancelled post again. `key`: the idempotency key of all attempts.
 * @throws the error of the request, for example if the time has come meanwhile
 */
export async function restoreScheduled({ params, scheduledAt }: ScheduledStatus, key: string): Promise<void> {
  const { text, applicationId: _application, idempotency: _key, withRateLimit: _limit, ...rest } = params
  // The server returns what a post does not have as null, and takes it as undefined.
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  // The types of masto.js allow either media or a poll.
  const body = { ...given, status: text, scheduledAt } as { status: string }
  await api().v1.statuses.create(body, { requestInit: { headers: { 'Idempotency-Key': key } } })
}
