import { Type } from 'typebox'
import { findAppById, registerApp } from '../../../domain/auth/apps.ts'
import type { Application as App } from '../../../domain/auth/apps.ts'
import type { Ctx } from '../../../domain/context.ts'
import { ref } from '../../../entities/ref.ts'
import { Application, CredentialApplication } from '../../../entities/token.ts'
import { NotFound } from '../../../lib/errors.ts'
import type { Api } from '../../api.ts'

/** Applications: how one comes to be, and what a token says about its own. */
export async function apps(api: Api, ctx: Ctx): Promise<void> {
  api.post(
    '',
    {
      schema: {
        tags: ['apps'],
        summary: 'Register an application',
        body: Type.Object({
          client_name: Type.Optional(Type.String()),
          redirect_uris: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String()])),
          scopes: Type.Optional(Type.String()),
          website: Type.Optional(Type.String()),
        }),
        response: { 200: ref(CredentialApplication) },
      },
    },
    async (request): Promise<CredentialApplication> => {
      const { client_name: name, redirect_uris: redirectUris, scopes, website } = request.body
      const { clientSecret, ...app } = await ctx.write((tx) => registerApp(tx, { name, redirectUris, scopes, website }))
      return {
        ...presentApp(ctx, app),
        client_id: app.clientId,
        client_secret: clientSecret,
        client_secret_expires_at: 0,
      }
    },
  )

  api.get(
    '/verify_credentials',
    { schema: { tags: ['apps'], summary: 'The application of a token', response: { 200: ref(Application) } } },
    async (request): Promise<Application> => {
      const id = request.bearer?.applicationId
      const app = id ? await findAppById(ctx, { id }) : null
      // A token that was not made for an application has none to tell of.
      if (!app) throw new NotFound()
      return presentApp(ctx, app)
    },
  )
}

function presentApp(ctx: Ctx, { id, name, website, scopes, redirectUris }: App): Application {
  return {
    id,
    name,
    website,
    scopes,
    redirect_uris: redirectUris,
    redirect_uri: redirectUris.join('\n'),
    vapid_key: ctx.secrets.vapidPublicKey,
  }
}
