import { infiniteQueryOptions } from '@tanstack/react-query'

const PAGE_SIZE = 40

/** Returns the query of a list of the admin API whose pages are separated by ids. `load` gets the parameters of a page. */
export function listQuery<Row extends { id: string }>(
  key: readonly unknown[],
  load: (page: { limit: number; maxId: string | undefined }) => Promise<Row[]>,
) {
  return infiniteQueryOptions({
    queryKey: ['admin', ...key],
    queryFn: ({ pageParam }) => load({ limit: PAGE_SIZE, maxId: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (rows: Row[]) => (rows.length < PAGE_SIZE ? undefined : rows.at(-1)?.id),
  })
}
