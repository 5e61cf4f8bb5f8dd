import type { Command } from 'commander'
import { issueTokenForUser } from '../../domain/auth/access-tokens.ts'
import { parseScopes } from '../../lib/http/scopes.ts'
import { requireData } from '../data-use.ts'
import type { RunCommand } from '../run-command.ts'

/** Adds `linnet tokens`, which creates access tokens for scripts. */
export function tokensCommand(program: Command, run: RunCommand): void {
  const tokens = program.command('tokens').description('create access tokens for scripts')
  requireData(tokens.command('create <name>'))
    .description('create an access token for a local user and print only the token')
    .option('--scopes <list>', 'scopes, separated by spaces', 'read write follow push')
    .action((name: string, { scopes }: { scopes: string }) =>
      run(async (ctx) => {
        const { token } = await ctx.write((tx) =>
          issueTokenForUser(tx, { username: name, scopes: parseScopes(scopes) }),
        )
        console.log(token)
      }),
    )
}
