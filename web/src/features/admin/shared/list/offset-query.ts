import { infiniteQueryOptions } from '@tanstack/react-query'

const PAGE_SIZE = 20

/** Returns the query of a list of the admin API whose pages begin at an offset. `load` gets the parameters of a page. */
export function offsetQuery<Row>(
  key: readonly unknown[],
  load: (page: { limit: number; offset: number }) => Promise<Row[]>,
) {
  return infiniteQueryOptions({
    queryKey: ['admin', ...key],
    queryFn: ({ pageParam }) => load({ limit: PAGE_SIZE, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: (rows: Row[], _pages, offset) => (rows.length < PAGE_SIZE ? undefined : offset + PAGE_SIZE),
  })
}
