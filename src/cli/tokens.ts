import type { Command } from 'commander'
import { issuePersonalToken } from '../domain/auth/tokens.ts'
import { parseScopes } from '../lib/scopes.ts'
import { needsData } from './data-use.ts'
import type { Run } from './open.ts'

/** `linnet tokens`: access without a browser, for scripts. */
export function tokensCommand(program: Command, run: Run): void {
  const tokens = program.command('tokens').description('create access tokens for scripts')
  needsData(tokens.command('create <name>'))
    .description('create an access token for a local user and print only the token')
    .option('--scopes <list>', 'scopes, separated by spaces', 'read write follow push')
    .action((name: string, { scopes }: { scopes: string }) =>
      run(async (ctx) => {
        const { token } = await ctx.write((tx) =>
          issuePersonalToken(tx, { username: name, scopes: parseScopes(scopes) }),
        )
        console.log(token)
      }),
    )
}
