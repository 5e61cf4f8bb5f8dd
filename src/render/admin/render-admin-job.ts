import type { AdminJob } from '../../entities/admin/admin-job.ts'
import type { JobRow } from '../../platform/jobs/job-queue.ts'

/** E-mail addresses and handles. Mail servers repeat the address of the recipient in their errors. */
const ADDRESS = /[^\s<>"'(),:;]+@[^\s<>"'(),:;]+/g

/** Returns a job without its arguments, which may contain secrets and e-mail addresses. */
export function renderAdminJob(job: JobRow): AdminJob {
  const { id, queue, name, state, attempts, maxAttempts, runAt, createdAt, lastError } = job
  return {
    id,
    queue,
    name,
    state,
    attempts,
    max_attempts: maxAttempts,
    run_at: runAt.toISOString(),
    created_at: createdAt.toISOString(),
    last_error: lastError?.split('\n')[0]!.replace(ADDRESS, '…') ?? null,
  }
}
