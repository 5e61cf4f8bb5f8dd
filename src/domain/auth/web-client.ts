import type { Ctx } from '../context.ts'
import { findApplication } from './applications.ts'
import type { Application } from './applications.ts'

/** The client id of the web client, which the migrations register. It is the only application without a secret. */
export const WEB_CLIENT_ID = 'web'

/** The path to which the web client is redirected with its authorization code. */
export const WEB_CLIENT_CALLBACK = '/web/authorized'

/** Whether an application is the web client of this server, which needs no consent: users trust the server itself. */
export function isWebClient({ clientId }: { clientId: string }): boolean {
  return clientId === WEB_CLIENT_ID
}

/** Returns the application with this client id. The redirect URI of the web client is on the origin of this server. */
export async function findOAuthClient(ctx: Ctx, { clientId }: { clientId: string }): Promise<Application | null> {
  const app = await findApplication(ctx, { clientId })
  return app && isWebClient(app) ? { ...app, redirectUris: [`${ctx.config.origin}${WEB_CLIENT_CALLBACK}`] } : app
}
