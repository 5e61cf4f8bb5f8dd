import type { AdminDomainBlockImport } from '../../../lib/api/admin-entities.ts'

const DRAFT_COUNTS = ['newCount', 'changedCount', 'unchangedCount', 'invalidCount'] as const
const RESULT_COUNTS = ['appliedCount', 'skippedCount', 'failedCount'] as const

/** Returns the numbers of a list that matter in its state. */
export const countsOf = ({ state }: AdminDomainBlockImport) => (state === 'draft' ? DRAFT_COUNTS : RESULT_COUNTS)
