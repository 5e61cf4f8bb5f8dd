import type { AdminJob } from '../../../entities/admin/operations/admin-job.ts'
import type { JobRow } from '../../../platform/jobs/job-queue.ts'
import { describeLastError } from './describe-last-error.ts'

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
    last_error: describeLastError(lastError),
  }
}
