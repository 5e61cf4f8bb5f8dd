import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Changes what a query has loaded at once, and sends the request that changes it on the server. The data change back if
 * the request fails. Data that are being loaded may be from before the change: they are discarded, and loaded again
 * after the request.
 * @throws the error of the request
 */
export async function changeAtOnce<Data>(
  client: QueryClient,
  queryKey: QueryKey,
  { change, request }: { change: (data: Data) => Data; request: () => Promise<unknown> },
): Promise<void> {
  const isLoading = client.isFetching({ queryKey, exact: true }) > 0
  if (isLoading) await client.cancelQueries({ queryKey, exact: true })
  const before = client.getQueryData<Data>(queryKey)
  client.setQueryData<Data>(queryKey, (data) => data && change(data))
  try {
    await request()
  } catch (error) {
    client.setQueryData(queryKey, before)
    throw error
  } finally {
    if (isLoading) void client.invalidateQueries({ queryKey, exact: true })
  }
}
