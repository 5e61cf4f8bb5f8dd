import type { Ctx } from '../../../domain/context.ts'
import type { WireObject, WireValue } from '../../wire/normalize.ts'
import { idOf, listOf, objectOf } from '../../wire/read-values.ts'
import type { FetchBudget } from './budget.ts'
import { fetchDocument } from './fetch-document.ts'

interface CollectionRequest {
  uri: string
  budget: FetchBudget
}

/** Returns the items of a collection, or of its first page. @throws what `fetchDocument` throws */
export async function fetchFirstPage(ctx: Ctx, { uri, budget }: CollectionRequest): Promise<readonly WireValue[]> {
  const collection = await fetchDocument(ctx, { uri, budget })
  const items = itemsOf(collection)
  if (items.length > 0 || collection['first'] === undefined) return items
  const embedded = objectOf(collection['first'])
  const page = idOf(collection['first'])
  const first = embedded ?? (page === null ? null : await fetchDocument(ctx, { uri: page, budget }))
  return first ? itemsOf(first) : []
}

const itemsOf = (collection: WireObject): WireValue[] => [
  ...listOf(collection['orderedItems']),
  ...listOf(collection['items']),
]
