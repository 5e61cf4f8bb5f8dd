import { Type } from 'typebox'
import { checkSignUp, signUp as makeAccount } from '../../../../domain/accounts/sign-up.ts'
import { findAppById } from '../../../../domain/auth/apps.ts'
import { issueToken } from '../../../../domain/auth/tokens.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { ValidationError } from '../../../../entities/error.ts'
import { ref } from '../../../../entities/ref.ts'
import { Token } from '../../../../entities/token.ts'
import { Forbidden } from '../../../../lib/errors.ts'
import type { Api } from '../../../api.ts'
import { presentToken } from '../../../oauth/token.ts'

/** A new account by way of an application, which gets a token for it at once. */
export async function signUp(api: Api, ctx: Ctx): Promise<void> {
  api.post(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'Sign up',
        body: Type.Object({
          username: Type.Optional(Type.String()),
          email: Type.Optional(Type.String()),
          password: Type.Optional(Type.String()),
          agreement: Type.Optional(Type.Boolean()),
          locale: Type.Optional(Type.String()),
          reason: Type.Optional(Type.String()),
          time_zone: Type.Optional(Type.String()),
        }),
        response: { 200: ref(Token), 422: ref(ValidationError) },
      },
    },
    async (request): Promise<Token> => {
      const { bearer, body } = request
      const app = bearer?.applicationId ? await findAppById(ctx, { id: bearer.applicationId }) : null
      if (bearer?.viewer || !app) {
        throw new Forbidden('This method requires an client credentials authentication')
      }
      const checked = await checkSignUp(ctx, {
        username: body.username ?? '',
        email: body.email ?? '',
        password: body.password ?? '',
        agreement: body.agreement ?? false,
        locale: body.locale ?? '',
        reason: body.reason,
        timeZone: body.time_zone,
        applicationId: app.id,
      })
      const issued = await ctx.write(async (tx) => {
        const { userId } = await makeAccount(tx, checked)
        return issueToken(tx, { applicationId: app.id, userId, scopes: app.scopes })
      })
      return presentToken(issued)
    },
  )
}
