import { infiniteQueryOptions } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type {
  AdminTag,
  AdminTrendsLink,
  AdminTrendsPublisher,
  AdminTrendsStatus,
} from '../../../lib/api/admin-entities.ts'
import type { TrendKind } from './trend-filters.ts'

/** What the staff review, as a row of a list. */
export type TrendRow = { id: string; requiresReview: boolean } & (
  | { kind: 'statuses'; trend: AdminTrendsStatus }
  | { kind: 'tags'; trend: AdminTag }
  | { kind: 'links'; trend: AdminTrendsLink }
  | { kind: 'publishers'; trend: AdminTrendsPublisher }
)

const PAGE_SIZE = 20

/** Returns the path of a kind below `admin/trends`. */
const pathOf = (kind: TrendKind): string[] => (kind === 'publishers' ? ['links', 'publishers'] : [kind])

/** The trends of a kind, reviewed or not. Pages of publishers are separated by ids, others begin at an offset. */
export const trendsQuery = (kind: TrendKind) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'trends', kind],
    queryFn: async ({ pageParam }) => {
      const start = kind === 'publishers' ? { maxId: pageParam } : { offset: pageParam ?? 0 }
      const trends = await adminApi('trends', ...pathOf(kind)).fetch({ limit: PAGE_SIZE, ...start })
      return (trends as { id: string; requiresReview: boolean }[]).map(
        (trend) => ({ kind, trend, id: trend.id, requiresReview: trend.requiresReview }) as TrendRow,
      )
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (rows: TrendRow[], pages) => {
      if (rows.length < PAGE_SIZE) return undefined
      return kind === 'publishers' ? rows.at(-1)?.id : String(pages.length * PAGE_SIZE)
    },
  })

/** Approves or rejects trends of a kind. */
export async function reviewTrends(
  kind: TrendKind,
  { ids, decision }: { ids: readonly string[]; decision: 'approve' | 'reject' },
): Promise<void> {
  await Promise.all(ids.map((id) => adminApi('trends', ...pathOf(kind), id, decision).create()))
}
