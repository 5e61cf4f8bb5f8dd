import { moderateAccount } from './moderate-account.ts'
import { moderateDomain } from './moderate-domain.ts'
import { runWithServerPair } from './run-with-server-pair.ts'
import { logStep } from './step.ts'

/**
 * Runs two servers over https and moderates on one of them: a report with limit, appeal and undo, a suspension with
 * undo, and a domain block with preview and undo. Each step is checked through the client API of both servers, the
 * stored mails and the pages (needs Chromium).
 */
await runWithServerPair(import.meta.url, async (pair) => {
  const adminScopes = 'read write admin:read admin:write'
  const admin = await pair.createUser(pair.a, 'olivia', 'a.test', { role: 'admin', scopes: adminScopes })
  const moderator = await pair.createUser(pair.a, 'maud', 'a.test', { role: 'moderator', scopes: adminScopes })
  try {
    await moderateAccount(pair, { admin, moderator })
    await moderateDomain(pair, { admin })
  } finally {
    for (const user of [admin, moderator]) user.close()
  }
  const entries = await admin.request<{ action: string }[]>('GET', '/api/v1/admin/audit_log')
  logStep(
    `The audit log has all of it: ${entries
      .map(({ action }) => action)
      .toReversed()
      .join(', ')}`,
  )
})
