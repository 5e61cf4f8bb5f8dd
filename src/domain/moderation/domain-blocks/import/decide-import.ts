import { coversBlock } from '../../../domain-blocks/covers-block.ts'
import type { DomainBlockSettings } from '../../../domain-blocks/set-domain-block.ts'

/** A row of an imported list. Lists contain no private comments. */
export type ImportedBlock = Omit<DomainBlockSettings, 'privateComment'>

/** What the import of a row does; `skip`: an existing block is stricter or not comparable. */
type ImportDecision = 'add' | 'change' | 'none' | 'skip'

/**
 * Decides what to do with a row. `own`: the existing block of its domain; `nearest`: that or the block of the nearest
 * parent domain. Without `overwrite`, no domain gets a weaker block than it has, and no public comment is removed.
 */
export function decideImport({
  block,
  own,
  nearest,
  overwrite,
}: {
  block: ImportedBlock
  own: ImportedBlock | null
  nearest: ImportedBlock | null
  overwrite: boolean
}): ImportDecision {
  if (own) {
    if (isEqual(own, mergeComment({ block, own, overwrite }))) return 'none'
    return overwrite || coversBlock(block, own) ? 'change' : 'skip'
  }
  if (overwrite || !nearest) return 'add'
  return coversBlock(block, nearest) && !coversBlock(nearest, block) ? 'add' : 'skip'
}

/** Returns the row with the existing public comment if it has none itself. */
export function mergeComment({
  block,
  own,
  overwrite,
}: {
  block: ImportedBlock
  own: ImportedBlock
  overwrite: boolean
}): ImportedBlock {
  return overwrite || block.publicComment !== '' ? block : { ...block, publicComment: own.publicComment }
}

function isEqual(one: ImportedBlock, other: ImportedBlock): boolean {
  return (
    one.severity === other.severity &&
    one.rejectMedia === other.rejectMedia &&
    one.rejectReports === other.rejectReports &&
    one.publicComment === other.publicComment &&
    one.obfuscate === other.obfuscate
  )
}
