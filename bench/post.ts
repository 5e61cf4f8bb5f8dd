import { Halt } from '../src/cli/failure.ts'
import type { Stage } from './stage.ts'

/** Posts as whoever the token is of. `at`: when the whole answer was there, by `performance.now()`. @throws Halt */
export async function post(
  { port }: Pick<Stage, 'port'>,
  { token, text }: { token: string; text: string },
): Promise<{ id: string; at: number }> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: text, visibility: 'public' }),
  })
  const body = await answer.text()
  if (!answer.ok) throw new Halt(`A post was refused with ${answer.status}: ${body}`)
  const at = performance.now()
  return { id: (JSON.parse(body) as { id: string }).id, at }
}
