import { readBlockListError } from '../../domain/moderation/domain-blocks/import/block-list-errors.ts'
import type { Ctx } from '../../domain/context.ts'
import { applyNextRow } from '../../domain/moderation/domain-blocks/import/apply-domain-block-import.ts'
import {
  confirmDomainBlockImport,
  createDomainBlockImport,
  findDomainBlockImport,
} from '../../domain/moderation/domain-blocks/import/domain-block-imports.ts'
import { draftDomainBlocks } from '../../domain/moderation/domain-blocks/import/draft-domain-blocks.ts'
import type { DraftedBlock } from '../../domain/moderation/domain-blocks/import/draft-domain-blocks.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { readText } from '../input/read-text.ts'
import { showProgress } from '../output/show-progress.ts'

/**
 * Imports a CSV file of domain blocks, or shows what each of its lines would do. Sets the exit code 1 if a line cannot be
 * applied; the others are.
 */
export async function importDomainBlocks(
  ctx: Ctx,
  { file, overwrite, dryRun }: { file: string; overwrite: boolean; dryRun: boolean },
): Promise<void> {
  const drafts = await draftDomainBlocks(ctx, { text: await readText(file) })
  for (const draft of drafts) {
    if (draft.error !== null)
      console.error(`Line ${draft.line} ${readBlockListError(draft.error).text}: ${cleanText(draft.block.domain)}`)
  }
  if (drafts.some(({ error }) => error !== null)) process.exitCode = 1
  if (dryRun) {
    for (const draft of drafts) if (draft.error === null) console.log(describe(draft, { overwrite }))
    return
  }
  const id = await ctx.write(async (tx) => {
    const importId = await createDomainBlockImport(tx, { by: null, drafts })
    await confirmDomainBlockImport(tx, { id: importId, by: null, overwrite })
    return importId
  })
  const progress = showProgress()
  const { selected: total } = await findDomainBlockImport(ctx, { id })
  let done = 0
  // A running server applies rows at the same time.
  while (await applyNextRow(ctx, { importId: id, by: null })) progress(Math.min(1, (done += 1) / total), 'blocking')
  const { applied, skipped, failed, unchanged, invalid } = await findDomainBlockImport(ctx, { id })
  if (failed > 0) process.exitCode = 1
  console.log(`Applied ${applied}, skipped ${skipped}, unchanged ${unchanged}, invalid ${invalid}, failed ${failed}`)
}

function describe(draft: DraftedBlock, { overwrite }: { overwrite: boolean }): string {
  const { block, status, weakens, accounts, follows } = draft
  const outcome = weakens && !overwrite ? 'skipped: an existing block is stricter' : status
  return [block.domain, block.severity, outcome, `${accounts} accounts`, `${follows} follows`].join('\t')
}
