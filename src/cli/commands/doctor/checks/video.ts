import type { Config } from '../../../../platform/config/config.ts'
import { describeMissingFfmpeg, findFfmpeg } from '../../../../platform/media/audio-video/find-ffmpeg.ts'
import { ok, warning } from './finding.ts'
import type { Finding } from './finding.ts'

/** Checks the programs that convert video and audio. */
export async function checkVideo({ ffmpeg, ffprobe }: Pick<Config, 'ffmpeg' | 'ffprobe'>): Promise<Finding[]> {
  if ((await findFfmpeg({ ffmpeg, ffprobe })) !== null) return [ok('video and audio can be converted')]
  return [warning(describeMissingFfmpeg({ ffmpeg, ffprobe }), 'install ffmpeg, then restart the server')]
}
