import { Type } from 'typebox'
import { findApplicationById, registerApplication } from '../../../../domain/auth/applications.ts'
import type { Application as App } from '../../../../domain/auth/applications.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Application, CredentialApplication } from '../../../../entities/instance/token.ts'
import { NotFoundError } from '../../../../lib/errors.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'

/** Mastodon: POST /api/v1/apps, GET /api/v1/apps/verify_credentials */
export async function apps(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.post(
    '',
    {
      schema: {
        tags: ['apps'],
        summary: 'Create an application',
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
      const { clientSecret, ...app } = await ctx.write((tx) =>
        registerApplication(tx, { name, redirectUris, scopes, website }),
      )
      return {
        ...renderApp(ctx, app),
        client_id: app.clientId,
        client_secret: clientSecret,
        client_secret_expires_at: 0,
      }
    },
  )

  api.get(
    '/verify_credentials',
    {
      schema: {
        tags: ['apps'],
        summary: 'View the application of the access token',
        response: { 200: ref(Application) },
      },
    },
    async (request): Promise<Application> => {
      const id = request.bearer?.applicationId
      const app = id ? await findApplicationById(ctx, { id }) : null
      // Not every access token was issued to an application.
      if (!app) throw new NotFoundError()
      return renderApp(ctx, app)
    },
  )
}

function renderApp(ctx: Ctx, { id, name, website, scopes, redirectUris }: App): Application {
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
