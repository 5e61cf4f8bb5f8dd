import { type Static, Type } from 'typebox'
import { Account } from './account.ts'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'
import { ref } from '../schema/ref.ts'
import { ShallowTag } from '../statuses/tag.ts'
import { DateTime } from '../schema/time.ts'

export const CollectionItem = Type.Object(
  {
    id: Id,
    account_id: Type.Optional(Type.With(Id, { description: 'Only while the item is pending or accepted.' })),
    state: oneOf(['pending', 'accepted', 'rejected', 'revoked']),
    created_at: DateTime,
  },
  { $id: 'CollectionItem' },
)
export type CollectionItem = Static<typeof CollectionItem>

export const Collection = Type.Object(
  {
    id: Id,
    uri: Type.String({ description: 'The ActivityPub id.' }),
    url: Type.String(),
    account_id: Type.With(Id, { description: 'Account id of the owner.' }),
    name: Type.String(),
    description: nullable(Type.String(), { description: 'As typed for local collections, HTML for remote ones.' }),
    language: nullable(Type.String()),
    local: Type.Boolean(),
    sensitive: Type.Boolean(),
    discoverable: Type.Boolean(),
    tag: nullable(ref(ShallowTag)),
    item_count: Type.Integer(),
    items: Type.Array(ref(CollectionItem), { description: 'All items for the owner; accepted items for others.' }),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { $id: 'Collection', description: 'A list of accounts that an account recommends.' },
)
export type Collection = Static<typeof Collection>

export const CollectionWithAccounts = Type.Object(
  {
    collection: ref(Collection),
    accounts: Type.Array(ref(Account), { description: 'The owner, then the accounts of the items.' }),
  },
  { $id: 'CollectionWithAccounts' },
)
export type CollectionWithAccounts = Static<typeof CollectionWithAccounts>
