import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { runCommand } from './run-command.ts'
import { urlOf } from './servers/linnet-process.ts'
import type { Outcome } from './servers/linnet-process.ts'
import type { TestServer } from './servers/test-server.ts'
import { serverConnection } from './services/database/test-database.ts'

/** The command line on the database and the data folder of a test server. */
export interface CommandLine {
  /** Runs a command and returns its result. */
  run(...args: string[]): Promise<Outcome>
  /** Runs a command that succeeds without output on standard error, and returns its lines. */
  lines(...args: string[]): Promise<string[]>
  /** Runs a command with `--json` that succeeds, and returns what it prints. */
  json<T>(...args: string[]): Promise<T>
  /** Runs a command that fails with one line on standard error, and returns that line. */
  error(...args: string[]): Promise<string>
}

/** `more`: further environment variables. */
export async function openCommandLine(
  { ctx }: TestServer,
  more: Readonly<Record<string, string>> = {},
): Promise<CommandLine> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(ctx.db)
  const env = {
    DATABASE_URL: urlOf({ ...(await serverConnection()), database: rows[0]!.name }),
    DATA_DIR: ctx.config.dataDir,
    LOCAL_DOMAIN: 'linnet.test',
    ...more,
  }
  const run = (...args: string[]) => runCommand(args, env)
  return {
    run,
    async lines(...args) {
      const { code, stdout, stderr } = await run(...args)
      assert.deepEqual([code, stderr], [0, ''], args.join(' '))
      return stdout.split('\n').slice(0, -1)
    },
    async json<T>(...args: string[]) {
      const { code, stdout, stderr } = await run(...args, '--json')
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
      return JSON.parse(stdout) as T
    },
    async error(...args) {
      const { code, stdout, stderr } = await run(...args)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(stderr, /^[^\n]+\n$/, args.join(' '))
      return stderr.trimEnd()
    },
  }
}
