import { type Static, Type } from 'typebox'
import { Account } from './account.ts'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { oneOf } from './one-of.ts'
import { ref } from './ref.ts'
import { ShallowTag } from './tag.ts'
import { DateTime } from './time.ts'

export const CollectionItem = Type.Object(
  {
    id: Id,
    account_id: Type.Optional(Type.With(Id, { description: 'Only while pending or accepted.' })),
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
    url: nullable(Type.String()),
    account_id: Type.With(Id, { description: "The owner's id." }),
    name: Type.String(),
    description: nullable(Type.String(), { description: 'As typed; HTML when it comes from another server.' }),
    language: nullable(Type.String()),
    local: Type.Boolean(),
    sensitive: Type.Boolean(),
    discoverable: Type.Boolean(),
    tag: nullable(ref(ShallowTag)),
    item_count: Type.Integer(),
    items: Type.Array(ref(CollectionItem), { description: 'Only accepted ones, except for the owner.' }),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { $id: 'Collection', description: 'Accounts that an account recommends together.' },
)
export type Collection = Static<typeof Collection>

export const CollectionWithAccounts = Type.Object(
  {
    collection: ref(Collection),
    accounts: Type.Array(ref(Account), { description: 'The owner first.' }),
  },
  { $id: 'CollectionWithAccounts' },
)
export type CollectionWithAccounts = Static<typeof CollectionWithAccounts>
