import type { Command } from 'commander'
import { ConfigMistakes, readConfig } from '../platform/config.ts'
import type { Config } from '../platform/config.ts'
import { needsNoData } from './data-use.ts'
import { checkClock } from './checks/clock.ts'
import { checkDataFolder } from './checks/data-folder.ts'
import { checkDatabase } from './checks/database.ts'
import { checkDecoders } from './checks/decoders.ts'
import { checkDomain } from './checks/domain.ts'
import { fine, trouble } from './checks/finding.ts'
import type { Finding } from './checks/finding.ts'
import { checkMail } from './checks/mail.ts'
import { checkPort } from './checks/port.ts'
import { checkPush } from './checks/push.ts'
import { checkRuntime } from './checks/runtime.ts'
import { checkStorage } from './checks/storage.ts'
import { checkValkey } from './checks/valkey.ts'
import { attempt } from './failure.ts'

const MARKS = { fine: '✔', care: '!', trouble: '✘' }

const EXPLANATION = `
✔ ok, ! warning, ✘ error; with an error, the exit code is 1.
Run it with the environment variables of the server.`

/** `linnet doctor`: looks at everything that a server needs, and says what is missing. */
export function doctorCommand(program: Command): void {
  needsNoData(program.command('doctor'))
    .description('check the installation')
    .addHelpText('after', EXPLANATION)
    .action(() =>
      attempt(async () => {
        const findings = await examine()
        for (const finding of findings) console.log(describeFinding(finding))
        if (findings.some(({ kind }) => kind === 'trouble')) process.exitCode = 1
      }),
    )
}

async function examine(): Promise<Finding[]> {
  const config = readOrList()
  if (Array.isArray(config)) return config
  // The embedded database is started for one check at most, so that one comes alone.
  const { findings, served } = await checkDatabase(config)
  const rest = await Promise.all([
    checkDataFolder(config),
    checkPush(config),
    checkDomain(readConfig(process.env, served), { served, now: new Date() }),
    checkPort(config),
    checkMail(config),
    checkStorage(config),
    checkValkey(config),
    checkClock(),
    checkRuntime(),
    checkDecoders(),
  ])
  return [fine('the environment variables are valid'), ...findings, ...rest.flat()]
}

function readOrList(): Config | Finding[] {
  try {
    return readConfig()
  } catch (err) {
    if (err instanceof ConfigMistakes)
      return err.mistakes.map((mistake) => trouble(mistake, 'see docs/admin/running.md'))
    throw err
  }
}

function describeFinding({ kind, text, hint }: Finding): string {
  return `${MARKS[kind]} ${text}${hint === undefined ? '' : `\n    ${hint}`}`
}
