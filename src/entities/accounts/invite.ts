import { type Static, Type } from 'typebox'
import { Account } from './account.ts'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { ref } from '../schema/ref.ts'
import { DateTime } from '../schema/time.ts'

export const Invite = Type.Object(
  {
    id: Id,
    code: Type.String(),
    url: Type.String({ description: 'The sign-up page for the invited users.' }),
    max_uses: nullable(Type.Integer(), { description: 'Null: any number.' }),
    uses: Type.Integer({ description: 'How many users have signed up with the invite.' }),
    expires_at: nullable(DateTime, { description: 'Null: the invite does not expire.' }),
    autofollow: Type.Boolean({ description: 'New users follow the inviter.' }),
    comment: Type.String({ description: 'For the inviter and the staff.' }),
    created_at: DateTime,
  },
  { $id: 'Invite', description: 'An invite of the user.' },
)
export type Invite = Static<typeof Invite>

export const AdminInvite = Type.Object(
  { ...Invite.properties, account: ref(Account) },
  { $id: 'AdminInvite', description: 'An invite as the staff see it, with the account of the inviter.' },
)
export type AdminInvite = Static<typeof AdminInvite>

export const InviteCode = Type.Object(
  {
    invite_code: Type.String(),
    instance_api_url: Type.String({ description: 'The URL of `/api/v2/instance`.' }),
  },
  { $id: 'InviteCode', description: 'A valid invite, for an application that signs up a user with its code.' },
)
export type InviteCode = Static<typeof InviteCode>
