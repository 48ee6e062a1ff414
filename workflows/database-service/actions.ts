import { databases } from '../../activities/databases/contract.js';
import { implementActions, type PropertiesOf } from '../../src/definition/index.js';
import { DatabaseService } from './definition.js';

export const databaseService = implementActions(DatabaseService, {
  begin: async (service, { params }) => {
    Object.assign(service.properties, params);
    return service.goTo('Creating');
  },
  create: async (service) => {
    const { application, database } = placeOf(service.properties);
    await service.call(databases.createDatabase, { application, database });
    return service.goTo('ConfiguringMaster');
  },
  configureMaster: async (service) => {
    await service.call(databases.configureMaster, { ...placeOf(service.properties), server: service.key });
    return service.goTo('Ready');
  },
  follow: async (service, { params }) => {
    service.properties.application = params.application;
  },
  cleanUp: async (service) => {
    await service.call(databases.dropDatabase, placeOf(service.properties));
    return service.goTo('Failed');
  },
  beginDeletion: async (service) => service.goTo('Deleting'),
  drop: async (service) => {
    await service.call(databases.dropDatabase, placeOf(service.properties));
    return service.goTo('Deleted');
  },
});

function placeOf({ application, database, administrator }: PropertiesOf<typeof DatabaseService>) {
  if (!application || !database || !administrator) throw new Error('The service was never created.');
  return { application, database, administrator };
}
