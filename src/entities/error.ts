import { type Static, Type } from 'typebox'
import { Account } from './account.ts'
import { ref } from './ref.ts'

export const ErrorBody = Type.Object({ error: Type.String() }, { $id: 'ErrorBody' })
export type ErrorBody = Static<typeof ErrorBody>

export const ValidationError = Type.Object(
  {
    error: Type.String(),
    details: Type.Record(
      Type.String(),
      Type.Array(
        Type.Object({
          error: Type.String({ description: 'A code such as `ERR_TAKEN`.' }),
          description: Type.String(),
        }),
      ),
      { description: 'What is wrong, by the name of the field.' },
    ),
  },
  { $id: 'ValidationError' },
)
export type ValidationError = Static<typeof ValidationError>

/** What is wrong with a collection comes in an object of its own. */
export const CollectionError = Type.Object({ error: ref(ValidationError) }, { $id: 'CollectionError' })
export type CollectionError = Static<typeof CollectionError>

export const UnexpectedMentionsError = Type.Object(
  {
    error: Type.String(),
    unexpected_accounts: Type.Array(ref(Account), { description: 'Mentioned, but not among `allowed_mentions`.' }),
  },
  { $id: 'UnexpectedMentionsError' },
)
export type UnexpectedMentionsError = Static<typeof UnexpectedMentionsError>
