import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { countUnreadableData, discardUnreadableData } from '../../domain/instance/discard-unreadable-data.ts'
import type { UnreadableData } from '../../domain/instance/discard-unreadable-data.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/connection.ts'
import { hasLiveWorkers } from '../../platform/jobs/worker-lock.ts'
import { openSecrets } from '../../platform/secrets.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { CommandError, runOrReport } from '../command-error.ts'
import { requireData } from '../data-use.ts'
import { allowDryRun, allowJson, printResult } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import type { DatabaseContext } from './database-context.ts'

interface ResetOptions extends OutputOptions {
  dryRun: boolean
}

const HELP = `
Restore secrets.json from a backup if you can. Stop the server first. Accounts get new keys, which other servers fetch,
and apps subscribe to push notifications again. Links in mails that were sent before stop working.`

/**
 * Adds `linnet secrets`, which replaces lost secrets. Other commands and the server do not start without the right
 * ones.
 */
export function secretsCommand(program: Command, open: () => Promise<DatabaseContext>): void {
  const secrets = program.command('secrets').description('replace lost secrets (secrets.json)')
  allowDryRun(allowJson(requireData(secrets.command('reset'))))
    .description('create secrets if there are none, and discard the keys that they cannot decrypt')
    .addHelpText('after', HELP)
    .action((options: ResetOptions) =>
      runOrReport(async () => {
        const { db, config, close } = await open()
        try {
          const result = await reset(db, { config, ...options })
          printResult(options, { result: { dryRun: options.dryRun, ...result }, lines: describe(result, options) })
        } finally {
          await close()
        }
      }),
    )
}

async function reset(db: Db, { config, dryRun }: { config: Config; dryRun: boolean }): Promise<UnreadableData> {
  if (dryRun) return countUnreadableData({ db }, await openExistingSecrets(config))
  // It would continue to encrypt with the lost secrets, and its next start would find neither.
  if (await hasLiveWorkers(db)) throw new CommandError('A server uses the database: stop all its processes first')
  const secrets = await openSecrets(config.dataDir)
  // No operation that an event would cause is due: the server creates keys when it needs them.
  return db.transaction((trx) => discardUnreadableData({ db: trx, config, now: new Date(), emit: () => {} }, secrets))
}

/** Returns the secrets of the data folder; without any, new ones would decrypt nothing. */
async function openExistingSecrets({ dataDir }: Config): Promise<Pick<Secrets, 'canDecrypt'>> {
  const exist = await access(join(dataDir, 'secrets.json')).then(
    () => true,
    () => false,
  )
  return exist ? openSecrets(dataDir) : { canDecrypt: () => false }
}

function describe(
  { keys, pushSubscriptions, authenticatorApps, webhooks }: UnreadableData,
  { dryRun }: { dryRun: boolean },
): string[] {
  const verb = dryRun ? 'Would discard' : 'Discarded'
  const lines = [`${verb}: keys ${keys}, push subscriptions ${pushSubscriptions}`]
  if (authenticatorApps > 0)
    lines.push(
      `Authenticator apps whose codes do not work: ${authenticatorApps}. Their users need a recovery code, or bin/linnet accounts modify NAME --disable-2fa`,
    )
  if (webhooks > 0)
    lines.push(`Webhooks that need a new secret: ${webhooks}. POST /api/v1/admin/webhooks/ID/rotate_secret creates one`)
  return lines
}
