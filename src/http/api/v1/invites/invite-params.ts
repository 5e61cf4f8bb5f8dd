import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { InviteInput } from '../../../../domain/invites/write-invite.ts'

/** The parameters of a new invite. */
export const InviteBody = Type.Object({
  max_uses: Type.Optional(
    Type.Integer({ 'x-null': 0, description: 'How many users can sign up. 0 or empty, the default: any number.' }),
  ),
  expires_in: Type.Optional(
    Type.Integer({ 'x-null': 0, description: 'Seconds from now. 0 or empty, the default: never.' }),
  ),
  autofollow: Type.Optional(Type.Boolean({ description: 'New users follow you.' })),
  comment: Type.Optional(Type.String({ description: 'For you and the staff, at most 420 characters.' })),
})

export function inviteInputOf({ max_uses, expires_in, ...others }: Static<typeof InviteBody>): InviteInput {
  return { ...others, maxUses: max_uses, expiresInSeconds: expires_in }
}
