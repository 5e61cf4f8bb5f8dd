import { useQuery } from '@tanstack/react-query'
import { currentAccountId } from '../../lib/session.ts'
import { ownAccountQuery } from '../accounts/own/own-account.ts'
import { collectionsQuery } from './collection-queries.ts'

/** Returns how many collections the user has, and may have; undefined while that is not known. */
export function useCollectionLimit(): { count: number | undefined; limit: number | undefined; isReached: boolean } {
  const { data: own } = useQuery(collectionsQuery(currentAccountId()))
  const { data: account } = useQuery(ownAccountQuery)
  const [count, limit] = [own?.length, account?.role.collectionLimit]
  return { count, limit, isReached: count !== undefined && limit !== undefined && count >= limit }
}
