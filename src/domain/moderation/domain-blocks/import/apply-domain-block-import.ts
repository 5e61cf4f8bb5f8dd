import { RequestError } from '../../../../lib/errors.ts'
import { statement } from '../../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../../context.ts'
import type { Actor } from '../../../core/record-audit-entry.ts'
import { withParents } from '../../../domain-blocks/find-domain-block.ts'
import { createDomainBlock, setDomainBlock } from '../../../domain-blocks/set-domain-block.ts'
import { decideImport, mergeComment } from './decide-import.ts'
import type { ImportedBlock } from './decide-import.ts'

/** How many rows one job applies, each in its own transaction. */
const ROWS_PER_JOB = 100

const COLUMNS = `domain, severity, reject_media as "rejectMedia", reject_reports as "rejectReports",
  public_comment as "publicComment", obfuscate`

const lockNext = statement<{
  params: { importId: string }
  row: ImportedBlock & { id: string; overwrite: boolean }
}>(
  `select r.id, ${COLUMNS}, i.overwrite
   from domain_block_import_rows r join domain_block_imports i on i.id = r.import_id
   where r.import_id = $importId and r.state = 'selected' order by r.id desc limit 1 for update of r`,
)
const lockBlocks = statement<{
  params: { domains: readonly string[] }
  row: ImportedBlock & { privateComment: string }
}>(
  `select ${COLUMNS}, private_comment as "privateComment" from domain_blocks where domain = any($domains)
   order by length(domain) desc for update`,
)
const setState = statement<{ params: { id: string; state: string; error: string | null } }>(
  `update domain_block_import_rows set state = $state, error = $error where id = $id`,
)
const finish = statement<{ params: { importId: string; now: Date } }>(
  `update domain_block_imports set state = 'applied', finished_at = $now where id = $importId and state = 'applying'`,
)

/**
 * Effect: applies the selected rows of an import, each in one transaction by the same operation as single blocks, and
 * emits the event again until none is left. `accountId`: the member of the staff who confirmed it; null: an
 * administrator on the command line.
 */
export async function applyDomainBlockImport(
  ctx: Ctx,
  { importId, accountId }: { importId: string; accountId: string | null },
): Promise<void> {
  const by = accountId === null ? null : { accountId }
  for (let count = 0; count < ROWS_PER_JOB; count += 1) {
    if (!(await applyNextRow(ctx, { importId, by }))) return
  }
  await ctx.write(async (tx) => tx.emit('domain_block_import.confirmed', { importId, accountId }))
}

/** Applies the next selected row. Returns whether there was one; otherwise the import is finished. */
export async function applyNextRow(ctx: Ctx, { importId, by }: { importId: string; by: Actor }): Promise<boolean> {
  let rowId: string | undefined
  try {
    return await ctx.write(async (tx) => {
      const [row] = await lockNext(tx.db, { importId })
      if (!row) {
        await finish(tx.db, { importId, now: tx.now })
        return false
      }
      rowId = row.id
      const { id, overwrite, ...block } = row
      await setState(tx.db, { id, state: await applyRow(tx, { block, by, overwrite }), error: null })
      return true
    })
  } catch (err) {
    if (rowId === undefined || !(err instanceof RequestError)) throw err
    const failed = { id: rowId, state: 'failed', error: err.message }
    await ctx.write((tx) => setState(tx.db, failed))
    return true
  }
}

/** Decides again, since the blocks may have changed after the upload. */
async function applyRow(
  tx: Tx,
  { block, by, overwrite }: { block: ImportedBlock; by: Actor; overwrite: boolean },
): Promise<'applied' | 'skipped'> {
  const blocks = await lockBlocks(tx.db, { domains: withParents(block.domain) })
  const nearest = blocks[0] ?? null
  const own = nearest?.domain === block.domain ? nearest : null
  const decision = decideImport({ block, own, nearest, overwrite })
  if (decision === 'skip') return 'skipped'
  if (decision === 'none') return 'applied'
  if (!own && !overwrite) {
    // Another transaction may have blocked the domain meanwhile.
    const created = await createDomainBlock(tx, { by, settings: { ...block, privateComment: '' } })
    return 'id' in created ? 'applied' : 'skipped'
  }
  const settings = own ? mergeComment({ block, own, overwrite }) : block
  await setDomainBlock(tx, { ...settings, privateComment: own?.privateComment ?? '', by })
  return 'applied'
}
