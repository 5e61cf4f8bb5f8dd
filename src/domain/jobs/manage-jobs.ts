import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { deleteJob, findJob, retryJobs } from '../../platform/jobs/job-queue.ts'
import type { JobRow } from '../../platform/jobs/job-queue.ts'
import { JOB_ID } from '../../platform/jobs/queues.ts'
import type { Ctx, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'

interface JobInput {
  id: string
  by: Actor
}

/** Returns one job. @throws NotFoundError */
async function findJobById({ db, jobNames }: Pick<Ctx, 'db' | 'jobNames'>, { id }: { id: string }): Promise<JobRow> {
  const job = JOB_ID.test(id) ? await findJob(db, { known: jobNames, id }) : null
  if (!job) throw new NotFoundError()
  return job
}

/** Retries a dead job. @throws NotFoundError; UnprocessableError if the job has attempts left */
export async function retryJob(ctx: Ctx, { id, by }: JobInput): Promise<void> {
  await ctx.write(async (tx) => {
    const { name } = await findJobById({ ...tx, jobNames: ctx.jobNames }, { id })
    if ((await retryJobs(tx.db, { ids: [id] })) === 0)
      throw new UnprocessableError('Only a job without attempts left can be retried')
    await record(tx, { by, action: 'retry', id, name })
  })
}

/** Retries those of the jobs that are dead, or all dead jobs. Returns their number. */
export async function retryDeadJobs(
  tx: Tx,
  { ids, by }: { ids: readonly string[] | 'dead'; by: Actor },
): Promise<number> {
  const count = await retryJobs(tx.db, { ids })
  const label = ids === 'dead' ? 'all' : ids.join(', ')
  if (count > 0)
    await recordAuditEntry(tx, { by, action: 'retry', targetType: 'job', targetId: null, label, details: { count } })
  return count
}

/** Deletes a job. What it was to do is not done. @throws NotFoundError; UnprocessableError if it runs */
export async function removeJob(ctx: Ctx, { id, by }: JobInput): Promise<void> {
  await ctx.write(async (tx) => {
    const { name } = await findJobById({ ...tx, jobNames: ctx.jobNames }, { id })
    if (!(await deleteJob(tx.db, { id }))) throw new UnprocessableError('A running job cannot be deleted')
    await record(tx, { by, action: 'delete', id, name })
  })
}

async function record(
  tx: Tx,
  { by, action, id, name }: JobInput & { action: 'retry' | 'delete'; name: string },
): Promise<void> {
  await recordAuditEntry(tx, { by, action, targetType: 'job', targetId: null, label: `${name} ${id}` })
}
