/** A set of partitions in words: `partition 7`, or `partitions 0-9,12`. @param word how they are called, as at the beginning of a line */
export function partitionsInWords(partitions: string, word = 'partition'): string {
  return `${word}${isOnePartition(partitions) ? '' : 's'} ${partitions}`;
}

export function isOnePartition(partitions: string): boolean {
  return /^\d+$/.test(partitions);
}
