import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { parseDomain } from '../../domain-blocks/parse-domain.ts'

/** The progress of applying the last change of a domain block to the known accounts. */
export interface DomainBlockProgress {
  /** Canonical. */
  domain: string
  /** `none`: the block of this domain was never changed. */
  state: 'none' | 'running' | 'finished'
  /** The examined part of all known accounts, from 0 to 1. */
  part: number
  startedAt: Date | null
  finishedAt: Date | null
}

const record = statement<{ params: { domain: string; from: string; until: string; isFinished: boolean; now: Date } }>(
  `insert into domain_block_runs (domain, examined_until, started_at, finished_at)
   values ($domain, $until, $now, case when $isFinished then $now::timestamptz end)
   on conflict (domain) do update set examined_until = excluded.examined_until, finished_at = excluded.finished_at,
     started_at = case when $from::bigint = 0 then excluded.started_at else domain_block_runs.started_at end`,
)
const find = statement<{
  params: { domain: string }
  row: { started_at: Date; finished_at: Date | null; part: number }
  notNull: 'part'
}>(
  `select started_at, finished_at, case when finished_at is not null then 1
     else least(1, examined_until::double precision / greatest(1, (select max(id) from accounts))) end as part
   from domain_block_runs where domain = $domain`,
)

/** Records that a step has examined the accounts from one id to another, in the transaction of the step. */
export async function recordDomainBlockStep(
  tx: Tx,
  { domain, from, until }: { domain: string; from: string; until: string | null },
): Promise<void> {
  await record(tx.db, { domain, from, until: until ?? from, isFinished: until === null, now: tx.now })
}

/**
 * Returns the progress of the last change of a domain block, also of its removal (Linnet's own: GET
 * /api/v1/admin/domain_blocks/progress).
 * @throws ValidationError for anything but a domain
 */
export async function findDomainBlockProgress(read: Read, input: { domain: string }): Promise<DomainBlockProgress> {
  const domain = parseDomain(input.domain)
  const [run] = await find(read.db, { domain })
  if (!run) return { domain, state: 'none', part: 0, startedAt: null, finishedAt: null }
  const { started_at: startedAt, finished_at: finishedAt, part } = run
  return { domain, state: finishedAt === null ? 'running' : 'finished', part, startedAt, finishedAt }
}
