import { type Static, Type } from 'typebox'
import { Account } from '../accounts/account.ts'
import { Collection } from '../accounts/collection.ts'
import { ref } from '../schema/ref.ts'
import { Status } from './status.ts'
import { Tag } from './tag.ts'

export const Search = Type.Object(
  {
    accounts: Type.Array(ref(Account)),
    statuses: Type.Array(ref(Status)),
    hashtags: Type.Array(ref(Tag)),
    collections: Type.Array(ref(Collection)),
  },
  { $id: 'Search' },
)
export type Search = Static<typeof Search>
