import { CommandError } from '../../src/cli/command-error.ts'
import type { BenchStage } from './open-stage.ts'

/** Posts a status. `at` is the time of the complete response, by `performance.now()`. @throws CommandError */
export async function post(
  { port }: Pick<BenchStage, 'port'>,
  { token, text }: { token: string; text: string },
): Promise<{ id: string; at: number }> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: text, visibility: 'public' }),
  })
  const body = await answer.text()
  if (!answer.ok) throw new CommandError(`A post failed with ${answer.status}: ${body}`)
  const at = performance.now()
  return { id: (JSON.parse(body) as { id: string }).id, at }
}
