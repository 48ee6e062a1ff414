import { defineEntity, defineResource, implementActions, initial, stable, terminal, unstable } from 'reeve/definition';
import { z } from 'zod';

const trip = { input: z.object({ trip: z.string() }), output: z.object({}) };
export const flights = defineResource('flights', { book: trip, cancel: trip });
export const hotels = defineResource('hotels', { book: trip, cancel: trip });

export const Trip = defineEntity('Trip', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Absent: initial(),
    BookingFlight: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'CancelingFlight' } }),
    BookingHotel: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'CancelingHotel' } }),
    Booked: stable(),
    CancelingHotel: unstable({ retry: { attempts: 100, delay: '1s', maxDelay: '1h' } }),
    CancelingFlight: unstable({ retry: { attempts: 100, delay: '1s', maxDelay: '1h' } }),
    Canceled: terminal(),
  },
  events: { book: { in: 'Absent' }, cancel: { in: 'Booked' } },
  actions: {
    book: { on: 'book', in: 'Absent', to: 'BookingFlight' },
    bookFlight: { in: 'BookingFlight', to: 'BookingHotel' },
    bookHotel: { in: 'BookingHotel', to: 'Booked' },
    cancel: { on: 'cancel', in: 'Booked', to: 'CancelingHotel' },
    cancelHotel: { in: 'CancelingHotel', to: 'CancelingFlight' },
    cancelFlight: { in: 'CancelingFlight', to: 'Canceled' },
  },
});

export const tripActions = implementActions(Trip, {
  book: async (self) => self.goTo('BookingFlight'),
  bookFlight: async (self) => {
    await self.call(flights.book, { trip: self.key });
    return self.goTo('BookingHotel');
  },
  bookHotel: async (self) => {
    await self.call(hotels.book, { trip: self.key });
    return self.goTo('Booked');
  },
  cancel: async (self) => self.goTo('CancelingHotel'),
  cancelHotel: async (self) => {
    await self.call(hotels.cancel, { trip: self.key }); // whatever there is for this trip, also nothing
    return self.goTo('CancelingFlight');
  },
  cancelFlight: async (self) => {
    await self.call(flights.cancel, { trip: self.key });
    return self.goTo('Canceled');
  },
});
