import type { Ctx } from '../../domain/context.ts'
import { ref } from '../../entities/schema/ref.ts'
import { OAuthMetadata } from '../../entities/instance/token.ts'
import { ALL_SCOPES } from '../../lib/http/scopes.ts'
import type { TypedFastify } from '../typed-fastify.ts'

/** The authorization server metadata (RFC 8414; Mastodon: GET /.well-known/oauth-authorization-server). */
export async function oauthMetadata(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/.well-known/oauth-authorization-server',
    {
      schema: {
        tags: ['oauth'],
        summary: 'View the OAuth server configuration',
        response: { 200: ref(OAuthMetadata) },
      },
    },
    async (): Promise<OAuthMetadata> => {
      const { origin } = ctx.config
      return {
        issuer: `${origin}/`,
        service_documentation: `${origin}/api/docs`,
        authorization_endpoint: `${origin}/oauth/authorize`,
        token_endpoint: `${origin}/oauth/token`,
        app_registration_endpoint: `${origin}/api/v1/apps`,
        revocation_endpoint: `${origin}/oauth/revoke`,
        userinfo_endpoint: `${origin}/oauth/userinfo`,
        introspection_endpoint: `${origin}/oauth/introspect`,
        scopes_supported: [...ALL_SCOPES],
        response_types_supported: ['code'],
        response_modes_supported: ['query', 'fragment', 'form_post'],
        grant_types_supported: ['authorization_code', 'client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        code_challenge_methods_supported: ['S256'],
      }
    },
  )
}
