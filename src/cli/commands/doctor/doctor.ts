import type { Command } from 'commander'
import { ConfigError, readConfig } from '../../../platform/config/config.ts'
import type { Config } from '../../../platform/config/config.ts'
import { requireNoData } from '../../data-use.ts'
import { checkClock } from './checks/clock.ts'
import { checkDataFolder } from './checks/data-folder.ts'
import { checkDatabase } from './checks/database.ts'
import { checkDecoders } from './checks/decoders.ts'
import { checkDomain } from './checks/domain.ts'
import { ok, problem } from './checks/finding.ts'
import type { Finding } from './checks/finding.ts'
import { checkMail } from './checks/mail.ts'
import { checkPort } from './checks/port.ts'
import { checkPush } from './checks/push.ts'
import { checkRuntime } from './checks/runtime.ts'
import { checkSingleSignOn } from './checks/single-sign-on.ts'
import { checkStorage } from './checks/storage.ts'
import { checkValkey } from './checks/valkey.ts'
import { checkVideo } from './checks/video.ts'
import { runOrReport } from '../../command-error.ts'

const SYMBOLS = { ok: '✔', warning: '!', error: '✘' }

const HELP = `
✔ ok, ! warning, ✘ error; with an error, the exit code is 1.
Run it with the environment variables of the server.`

/** Adds `linnet doctor`, which checks everything that a server needs. */
export function doctorCommand(program: Command): void {
  requireNoData(program.command('doctor'))
    .description('check the installation')
    .addHelpText('after', HELP)
    .action(() =>
      runOrReport(async () => {
        const findings = await runChecks()
        for (const finding of findings) console.log(describeFinding(finding))
        if (findings.some(({ kind }) => kind === 'error')) process.exitCode = 1
      }),
    )
}

async function runChecks(): Promise<Finding[]> {
  const config = readConfigOrProblems()
  if (Array.isArray(config)) return config
  // First and alone, because it may start the embedded database.
  const { findings, lastAddress } = await checkDatabase(config)
  const otherFindings = await Promise.all([
    checkDataFolder(config),
    checkPush(config),
    checkDomain(readConfig(process.env, lastAddress === 'unknown' ? null : lastAddress), {
      lastAddress,
      now: new Date(),
    }),
    checkPort(config),
    checkMail(config),
    checkStorage(config),
    checkValkey(config),
    checkSingleSignOn(config),
    checkClock(),
    checkRuntime(),
    checkDecoders(),
    checkVideo(config),
  ])
  return [ok('the environment variables are valid'), ...findings, ...otherFindings.flat()]
}

function readConfigOrProblems(): Config | Finding[] {
  try {
    return readConfig()
  } catch (err) {
    if (err instanceof ConfigError)
      return err.problems.map((problemText) => problem(problemText, 'see docs/admin/running.md'))
    throw err
  }
}

function describeFinding({ kind, text, remedy }: Finding): string {
  return `${SYMBOLS[kind]} ${text}${remedy === undefined ? '' : `\n    ${remedy}`}`
}
