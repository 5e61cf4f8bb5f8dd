import { type Static, Type } from 'typebox'
import { Account } from '../accounts/account.ts'
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
          error: Type.String({ description: 'An error code, for example `ERR_TAKEN`.' }),
          description: Type.String(),
        }),
      ),
      { description: 'Errors, keyed by field name.' },
    ),
  },
  { $id: 'ValidationError' },
)
export type ValidationError = Static<typeof ValidationError>

/** Endpoints of collections nest the validation error under `error`. */
export const CollectionError = Type.Object({ error: ref(ValidationError) }, { $id: 'CollectionError' })
export type CollectionError = Static<typeof CollectionError>

export const UnexpectedMentionsError = Type.Object(
  {
    error: Type.String(),
    unexpected_accounts: Type.Array(ref(Account), {
      description: 'Mentioned accounts that are not in `allowed_mentions`.',
    }),
  },
  { $id: 'UnexpectedMentionsError' },
)
export type UnexpectedMentionsError = Static<typeof UnexpectedMentionsError>
