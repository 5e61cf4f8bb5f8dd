import type { Ctx } from '../../domain/context.ts'
import { loadRecentIpBlocks, refusesAccess } from '../../domain/ip-blocks/find-ip-block.ts'
import type { IpBlocks } from '../../domain/ip-blocks/find-ip-block.ts'
import { reportFirstFailure } from '../../platform/log/report-first-failure.ts'
import type { ConnectionRegistry } from './connection-registry.ts'

/**
 * Closes the connections of addresses that an IP block refuses, in intervals. While the blocks are unchanged, it checks
 * only new connections: their block may have been created while they were being opened.
 */
export function startIpBlockCheck(
  ctx: Ctx,
  { connections, intervalMs }: { connections: ConnectionRegistry; intervalMs: number },
): NodeJS.Timeout {
  let lastBlocks: IpBlocks | null = null
  const report = reportFirstFailure(ctx.log, 'The IP addresses of streaming connections could not be checked')
  const check = async (): Promise<void> => {
    try {
      const blocks = await loadRecentIpBlocks(ctx)
      const opened = connections.takeOpened()
      const now = ctx.now()
      for (const connection of blocks === lastBlocks ? opened : connections.connections()) {
        if (refusesAccess(blocks, { ip: connection.ip, now })) void connection.close('blocked')
      }
      lastBlocks = blocks
      report.succeeded()
    } catch (err) {
      report.failed(err)
    }
  }
  let checking: Promise<void> | null = null
  return setInterval(() => {
    if (connections.size > 0) checking ??= check().finally(() => (checking = null))
  }, intervalMs)
}
