import type { Config } from '../../platform/config/config.ts'
import { BUILD_PREFIX } from './read-build.ts'

/**
 * Returns the content security policy of the web client. Scripts and styles come from its build only, not from the
 * whole origin, since files of users may have the same origin.
 */
export function contentSecurityPolicyOfClient({ origin, filesUrl, mediaCacheBytes, streamingUrl }: Config): string {
  const build = `${origin}${BUILD_PREFIX}`
  // Without a remote media cache, browsers load remote media from their own servers.
  const files = [`'self'`, new URL(filesUrl).origin, mediaCacheBytes === 0 ? 'https:' : ''].filter(Boolean).join(' ')
  return [
    "default-src 'none'",
    `script-src ${build}`,
    `style-src ${build}`,
    `worker-src ${build}`,
    `connect-src 'self' ${new URL(streamingUrl).origin} ${new URL(filesUrl).origin}`,
    `img-src ${files} data: blob:`,
    `media-src ${files} blob:`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
