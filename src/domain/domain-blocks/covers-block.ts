import type { DomainBlock } from './find-domain-block.ts'

const STRICTNESS: Readonly<Record<DomainBlock['severity'], number>> = { noop: 0, silence: 1, suspend: 2 }

/** Returns whether a block rejects everything that another one rejects. A suspension covers all flags. */
export function coversBlock(block: DomainBlock, other: DomainBlock): boolean {
  if (block.severity === 'suspend') return true
  return (
    STRICTNESS[block.severity] >= STRICTNESS[other.severity] &&
    (block.rejectMedia || !other.rejectMedia) &&
    (block.rejectReports || !other.rejectReports)
  )
}
