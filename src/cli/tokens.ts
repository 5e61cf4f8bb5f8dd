import type { Command } from 'commander'
import { issuePersonalToken } from '../domain/auth/tokens.ts'
import { parseScopes } from '../lib/scopes.ts'
import { needsData } from './data-use.ts'
import type { Run } from './open.ts'

/** `linnet tokens`: access without a browser, for scripts. */
export function tokensCommand(program: Command, run: Run): void {
  const tokens = program.command('tokens').description('make tokens for scripts')
  needsData(tokens.command('create <name>'))
    .description('make a token for a person of this server and print it, and only it')
    .option('--scopes <list>', 'what it may do, separated by blanks', 'read write follow push')
    .action((name: string, { scopes }: { scopes: string }) =>
      run(async (ctx) => {
        const { token } = await ctx.write((tx) =>
          issuePersonalToken(tx, { username: name, scopes: parseScopes(scopes) }),
        )
        console.log(token)
      }),
    )
}
