import { Type } from 'typebox'
import { checkSignUp, signUp as createUserAccount } from '../../../../domain/accounts/registration/sign-up.ts'
import { findApplicationById, lockApplication } from '../../../../domain/auth/applications.ts'
import { issueToken } from '../../../../domain/auth/access-tokens.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { ValidationError } from '../../../../entities/schema/error.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Token } from '../../../../entities/instance/token.ts'
import { ForbiddenError } from '../../../../lib/errors.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { plainAddressOf } from '../../../support/request/plain-address-of.ts'
import { renderToken } from '../../../oauth/token.ts'

/** Mastodon: POST /api/v1/accounts. Creates an account; the application gets an access token for it at once. */
export async function signUp(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.post(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'Register an account',
        body: Type.Object({
          username: Type.Optional(Type.String()),
          email: Type.Optional(Type.String()),
          password: Type.Optional(Type.String()),
          agreement: Type.Optional(Type.Boolean()),
          locale: Type.Optional(Type.String()),
          reason: Type.Optional(Type.String()),
          time_zone: Type.Optional(Type.String()),
          date_of_birth: Type.Optional(
            Type.String({ description: 'YYYY-MM-DD. Required if the server has a minimum age. It is not stored.' }),
          ),
          invite_code: Type.Optional(
            Type.String({
              description: 'The code of an invite, with which users can sign up while registrations are closed.',
            }),
          ),
        }),
        response: { 200: ref(Token), 422: ref(ValidationError) },
      },
    },
    async (request): Promise<Token> => {
      const { bearer, body } = request
      const app = bearer?.applicationId ? await findApplicationById(ctx, { id: bearer.applicationId }) : null
      if (bearer?.viewer || !app) throw applicationRequired()
      const checked = await checkSignUp(ctx, {
        username: body.username ?? '',
        email: body.email ?? '',
        password: body.password ?? '',
        agreement: body.agreement ?? false,
        locale: body.locale ?? '',
        reason: body.reason,
        timeZone: body.time_zone,
        dateOfBirth: body.date_of_birth,
        inviteCode: body.invite_code,
        applicationId: app.id,
        ip: plainAddressOf(request),
      })
      const issued = await ctx.write(async (tx) => {
        const { userId } = await createUserAccount(tx, checked)
        const scopes = await lockApplication(tx, app)
        // Its owner has deleted it meanwhile, which has revoked its token.
        if (scopes.length === 0) throw applicationRequired()
        return issueToken(tx, { applicationId: app.id, userId, scopes })
      })
      return renderToken(issued)
    },
  )
}

function applicationRequired(): ForbiddenError {
  return new ForbiddenError('This method requires an client credentials authentication')
}
