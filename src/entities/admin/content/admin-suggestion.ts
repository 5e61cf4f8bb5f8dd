import { type Static, Type } from 'typebox'
import { Account } from '../../accounts/account.ts'
import { oneOf } from '../../schema/one-of.ts'
import { ref } from '../../schema/ref.ts'

export const AdminSuggestion = Type.Object(
  {
    account: ref(Account),
    sources: Type.Array(oneOf(['featured', 'most_interactions', 'most_followed']), {
      description: 'Why the account is suggested to all users at present. Empty: it is not.',
    }),
    suppressed: Type.Boolean({ description: 'The staff keep the account out of the follow suggestions of all users.' }),
  },
  { $id: 'AdminSuggestion', description: 'An account as a follow suggestion, as the staff see it.' },
)
export type AdminSuggestion = Static<typeof AdminSuggestion>
